// A bot in a process of its own, for Node without any package: it buys and builds what it can.
//
// highvoltage tournament --bots clerk*3 --bot 'cmd:node examples/bots/bot.mjs'

import { createInterface } from 'node:readline'

const BUSY = ['buy', 'build', 'run', 'nominate'] // what brings a company forward

function choose(legal) {
  const moves = legal.map((offer) => offer.move)
  const forward = moves.filter((move) => BUSY.some((verb) => move.startsWith(verb)))
  return (forward.length ? forward : moves).at(-1)
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === 'hello') console.log(JSON.stringify({ type: 'hello', protocol: 1 }))
  if (message.type === 'choose')
    console.log(JSON.stringify({ type: 'choice', move: choose(message.legal) }))
}
