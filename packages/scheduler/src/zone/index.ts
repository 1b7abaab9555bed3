export { HostZone } from './host-zone.js'
export { type HostZoneNotice, hostZoneNotice } from './host-zone-notice.js'
export { namedZone, type TimeZone } from './time-zone.js'
