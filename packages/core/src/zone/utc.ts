import { Zone } from './zone.js'

export const utc = new Zone('UTC', {
  starts: Float64Array.of(Number.NEGATIVE_INFINITY),
  offsets: Int32Array.of(0),
})
