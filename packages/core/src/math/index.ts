export { exp, expm1 } from './exp.js'
export { log, log1p } from './log.js'
export { normalCdf, normalQuantile } from './normal.js'
export { pow } from './pow.js'
