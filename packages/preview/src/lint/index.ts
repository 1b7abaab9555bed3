export {
  countOf,
  type Finding,
  findingJson,
  findingLines,
  type Place,
  type WarningCode,
  warningAt,
  warningCodes,
} from './finding.js'
export { sameTime, scheduleRules } from './rules/index.js'
export type { Rule, Subject } from './subject.js'
