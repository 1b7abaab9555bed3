// Built with zone/no-zones.ts in the place of the zone data: see tools/bundle.
export * from './index.js'
