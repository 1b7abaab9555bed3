export { zone, zoneNames } from './database.js'
export { tzdataVersion } from './generated/tzdata.js'
export { utc } from './utc.js'
export { Zone } from './zone.js'
