// Random legal play by boardgamers/powergrid, for benchmarks/peers.py: `node boardgamers.js ENGINE`.
// A line "KIND COUNT" is answered with "GAMES DECISIONS SECONDS" of the processor.

const { join, resolve } = require('node:path')
const { createInterface } = require('node:readline')

const folder = resolve(process.argv[2])
const engine = require(join(folder, 'dist'))
const cloneDeep = require(require.resolve('lodash/cloneDeep', { paths: [folder] }))

const PLAYERS = 4
let seed = 0
let decisions = 0

const newGame = () => engine.setup(PLAYERS, { map: 'Germany', variant: 'original' }, String(seed++))
const any = (list) => list[Math.floor(Math.random() * list.length)]

// Any legal move, each as likely as the next; of all bids only the lowest, as for the others.
function play(start, most) {
    let game = start
    for (let made = 0; !engine.ended(game) && made < most; made++) {
        const player = game.currentPlayers[0]
        const moves = []
        for (const [name, data] of Object.entries(game.players[player].availableMoves ?? {}))
            for (const each of name === 'Bid' ? data.slice(0, 1) : data) moves.push({ name, data: each })
        game = engine.move(game, any(moves), player)
        decisions++
    }
    return game
}

const work = { games: () => play(newGame(), Infinity), new: newGame, copy: () => cloneDeep(midgame) }
const midgame = play(newGame(), 200)
createInterface({ input: process.stdin }).on('line', (line) => {
    const [kind, count] = line.split(' ')
    decisions = 0
    const began = process.cpuUsage()
    for (let done = 0; done < Number(count); done++) work[kind]()
    const { user, system } = process.cpuUsage(began)
    console.log(`${count} ${decisions} ${(user + system) / 1e6}`)
})
