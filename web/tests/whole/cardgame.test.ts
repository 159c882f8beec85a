import { tellTables } from './decisions'

tellTables('cardgame', [
  ['card game nominate', 'cardgame-demolition-true', 42],
  ['card game bid', 'cardgame-3-players', 53],
  ['card game fuel', 'cardgame-3-players', 75],
  ['card game run', 'cardgame-3-players', 76],
  ['card game scrap', 'cardgame-3-players', 110],
])
