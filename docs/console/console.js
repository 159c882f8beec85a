/** The Python console: one line after the other goes to the worker, which answers each. */
const output = document.querySelector('#output')
const prompt = document.querySelector('#prompt')
const input = document.querySelector('#line')
const worker = new Worker('worker.js', { type: 'module' })
const history = []
let at = 0

function print(text, kind = '') {
  const part = document.createElement('span')
  part.className = kind
  part.textContent = text
  output.append(part)
  output.scrollTop = output.scrollHeight
}

let answered = () => undefined
let ready = new Promise((done) => (answered = done))

worker.onmessage = ({ data }) => {
  if (data.type === 'output') return print(data.text)
  if (data.type === 'failed') return print(`Python could not be loaded: ${data.text}\n`, 'problem')
  if (data.type === 'ready') {
    print(`ready\n`)
    input.disabled = false
  } else {
    print(data.text, data.state === 'problem' ? 'problem' : '')
    prompt.textContent = data.state === 'incomplete' ? '...' : '>>>'
  }
  answered()
}
worker.onerror = ({ message }) => print(`Python could not be loaded: ${message}\n`, 'problem')

/** Enters a line, after all that were entered before. */
function enter(line) {
  ready = ready.then(() => {
    print(`${prompt.textContent} ${line}\n`, 'typed')
    worker.postMessage(line)
    return new Promise((done) => (answered = done))
  })
}

document.querySelector('form').onsubmit = (event) => {
  event.preventDefault()
  enter(input.value)
  at = history.push(input.value)
  input.value = ''
}

input.onkeydown = (event) => {
  if (event.key === 'Tab' && !event.shiftKey && !input.value.trim() && prompt.textContent === '...') {
    event.preventDefault()
    input.value += '    '
  }
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  event.preventDefault()
  at = Math.max(0, Math.min(history.length, at + (event.key === 'ArrowUp' ? -1 : 1)))
  input.value = history[at] ?? ''
}

/** A page of the documentation sends the lines of an example. */
addEventListener('message', ({ origin, data }) => {
  if (origin !== location.origin || !Array.isArray(data?.lines)) return
  for (const line of data.lines) enter(String(line))
})

print('Python with High Voltage is loading … ')
parent.postMessage('console', location.origin)
