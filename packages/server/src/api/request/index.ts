export { parseBy } from './field-errors.js'
export { entityTag, ifMatchPattern, versionCondition } from './if-match.js'
export { readJson } from './read-json.js'
export { readQuery } from './read-query.js'
