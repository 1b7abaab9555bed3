export {
  countOf,
  type Finding,
  findingJson,
  findingLines,
  type Place,
  type WarningCode,
  warningAt,
} from './finding.js'
export { sameTime, scheduleRules } from './rules/index.js'
export type { Subject } from './subject.js'
