export { zone, zoneNames } from './database.js'
export { tzdataVersion } from './generated/tzdata.js'
export { utc, Zone } from './zone.js'
