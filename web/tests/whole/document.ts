/** What the page asks of a browser and the document here does not have. */
import './device'
import { speak } from '../../src/texts/messages'

await speak('en')
