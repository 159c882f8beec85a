/** Python with `highvoltage` in a worker, from the files of the playable page beside it. */
import { loadPyodide } from './pyodide.mjs'

const PLAY = new URL('../play/', import.meta.url)
// Pyodide's own console reads line after line, as Python's does.
const CONSOLE = `
import highvoltage as hv
from pyodide.console import Console, repr_shorten

console = Console(
    {"hv": hv, "__name__": "__main__"}, stdout_callback=show, stderr_callback=show
)

async def enter(line):
    entered = console.push(line)
    if entered.syntax_check == "incomplete":
        return "incomplete", ""
    try:
        value = await entered
    except (Exception, SystemExit, KeyboardInterrupt):
        return "problem", entered.formatted_error
    return "complete", "" if value is None else repr_shorten(value, 4000) + "\\n"

enter
`

async function start() {
  const page = await (await fetch(new URL('index.html', PLAY))).text()
  const [, python, wheel] = /<meta name="engine" data-python="([^"]+)" data-wheel="([^"]+)"/.exec(page)
  const folder = new URL(python, PLAY).href
  const wheels = [`${folder}msgspec.whl`, new URL(wheel, PLAY).href]
  const files = Promise.all(wheels.map(async (address) => (await fetch(address)).arrayBuffer()))
  // The page leaves out parts of the standard library that help() needs.
  const stdLibURL = new URL('python_stdlib.zip', import.meta.url).href
  const pyodide = await loadPyodide({ indexURL: folder, stdLibURL })
  for (const file of await files) pyodide.unpackArchive(file, 'wheel')
  pyodide.globals.set('show', (text) => postMessage({ type: 'output', text }))
  return pyodide.runPython(CONSOLE)
}

const started = start()
started.then(
  () => postMessage({ type: 'ready' }),
  (error) => postMessage({ type: 'failed', text: String(error) }),
)

self.onmessage = async ({ data }) => {
  const answer = await (await started)(data)
  const [state, text] = answer.toJs()
  answer.destroy()
  postMessage({ type: 'entered', state, text })
}
