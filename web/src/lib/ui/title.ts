import { m } from '../../texts/messages'
import { folder } from './route.svelte'

/** The title and the icon of the tab show when it is my turn. */
export function announceTurn(mine: boolean) {
  document.title = mine ? m.title_your_turn() : m.title()
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const wanted = `${folder}${mine ? 'favicon-turn.svg' : 'favicon.svg'}`
  if (icon && icon.href !== wanted) icon.href = wanted
}
