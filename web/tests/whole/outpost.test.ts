import { tellTables } from './decisions'

const PLANET = 'outpost-with-planet-3-players-version-3'

tellTables('outpost', [
  ['outpost nominate', 'outpost-4-players', 8],
  ['outpost bid', 'outpost-4-players', 127],
  ['outpost card', PLANET, 204],
  ['outpost company', PLANET, 216],
  ['outpost power', PLANET, 202],
])
