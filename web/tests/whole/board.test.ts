import { tellTables } from './decisions'

tellTables('board', [
  ['classic nominate', 'classic-3-players', 125],
  ['classic bid', 'classic-3-players', 96],
  ['classic scrap', 'classic-3-players', 160],
  ['classic fuel', 'classic-3-players', 232],
  ['classic building', 'classic-3-players', 283],
  ['classic bureaucracy', 'classic-3-players', 241],
  ['recharged building', 'recharged-4-players', 22],
  ['recharged fuel', 'recharged-4-players', 417],
])
