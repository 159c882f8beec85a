// Says what a lesson says in positions that come one a line, as the page does.
import { createInterface } from 'node:readline'
import { factsOf, isOtherwise, sayNow } from '../../web/src/lib/tutorial/lesson.ts'

for await (const line of createInterface({ input: process.stdin })) {
  const { steps, view, you, mine, otherwise, read } = JSON.parse(line)
  const differs = otherwise && isOtherwise(otherwise.advised, otherwise.decided) ? otherwise : null
  const said = sayNow(steps, factsOf(view, you, mine, differs), read)
  console.log(JSON.stringify({ step: said?.step ?? null, values: said?.values ?? {}, differs: !!differs }))
}
