export { type ConstraintSpec, maxClauses, maxValuesInClause } from './clause.js'
export { Constraints, compileConstraints, type ZoneOffsets } from './constraints.js'
export { parseClauses } from './parse-clauses.js'
