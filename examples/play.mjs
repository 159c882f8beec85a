/**
 * Plays a whole game at a server and prints its record.
 *
 *     node play.mjs http://127.0.0.1:8104
 *
 * Needs only Node 22 or newer, and a server: `highvoltage serve`. `fetch` and `WebSocket` are those of
 * browsers, where all of this works as well.
 */

const server = process.argv[2] ?? 'http://127.0.0.1:8104'
const headers = { 'content-type': 'application/json' }

async function ask(method, path, body) {
  const answer = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error((await answer.json()).message)
  return answer
}

const { token } = await (await ask('POST', '/api/token')).json() // identifies us; keep it
headers.authorization = `Bearer ${token}`

const seats = [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'random' }]
const made = await ask('POST', '/api/tables', { rulebook: 'classic', map: 'germany', seats })
const table = (await made.json()).id

// A WebSocket has no headers: the first message identifies us.
const live = new WebSocket(`${server.replace('http', 'ws')}/api/tables/${table}/live?brief=true&auth=message`)
let sent = null // the move that has not been answered
live.onopen = () => live.send(JSON.stringify({ type: 'auth', token }))
live.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  if (message.type === 'refused' || message.type === 'error') console.error(message.message)
  if (message.code === 'not_known') setTimeout(() => live.send(sent), 1000) // with the same ref: not played twice
  else if (['done', 'refused', 'error'].includes(message.type)) sent = null
  if (message.type !== 'state') return
  if (message.table.status !== 'running') return live.close() // finished, or failed
  if (message.legal.length === 0 || sent) return
  const { move } = message.legal[Math.floor(Math.random() * message.legal.length)] // bids are the lowest possible
  const ref = crypto.randomUUID() // what we call this move
  sent = JSON.stringify({ type: 'move', seq: message.seq, move, ref })
  live.send(sent)
}
await new Promise((resolve) => (live.onclose = resolve))

console.log(await (await ask('GET', `/api/tables/${table}/record`)).text())
