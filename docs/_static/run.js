/** A button at every example in Python that runs in a browser: it enters the example into a console at the foot of the page. */
const CONSOLE = new URL('../console/index.html', document.currentScript.src)
/** What a browser has not: these packages need NumPy, or several processes. */
const MISSING = /import (gymnasium|pyspiel)|highvoltage\.tournament|highvoltage import (data|openspiel)/
let dock

/** What a reader would type: the lines after the prompts. An empty line ends a block. */
function typed(text) {
  const lines = []
  for (const line of text.split('\n')) {
    const found = /^(>>>|\.\.\.) ?(.*)$/.exec(line)
    if (!found) continue
    if (found[1] === '>>>' && lines.at(-1)?.startsWith(' ')) lines.push('')
    lines.push(found[2])
  }
  if (lines.at(-1)?.startsWith(' ')) lines.push('')
  return lines
}

function run(lines) {
  if (!dock) {
    const frame = document.createElement('iframe')
    frame.className = 'console-dock'
    frame.title = 'Python console'
    dock = new Promise((done) => {
      addEventListener('message', ({ source, data }) => source === frame.contentWindow && data === 'console' && done(frame))
    })
    frame.src = CONSOLE.href
    document.body.append(frame)
  }
  void dock.then((frame) => frame.contentWindow.postMessage({ lines }, location.origin))
}

addEventListener('DOMContentLoaded', () => {
  for (const block of document.querySelectorAll('.highlight-pycon')) {
    if (MISSING.test(block.textContent)) break // nor can what follows be run
    const lines = typed(block.textContent)
    const button = document.createElement('button')
    button.className = 'run-example'
    button.textContent = 'Run'
    button.onclick = () => run(lines)
    block.append(button)
  }
})
