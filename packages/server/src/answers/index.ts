export type { DecisionAccount, Draw } from './decision-account.js'
export { expectedPlan } from './expected-plan.js'
export {
  type Candidate,
  type CandidateKind,
  type Clamp,
  type Explanation,
  explainPlan,
} from './explanation.js'
export {
  type ForecastMinute,
  type ForecastSpan,
  forecast,
  forecastInSteps,
  maxForecastRuns,
} from './forecast.js'
export { type Health, healthOf, type Streak } from './health.js'
export { instantText } from './instant-text.js'
export { type Preview, previewPlans } from './preview.js'
export { replanWithinQuota } from './replan-within-quota.js'
export { runAllowance } from './run-allowance.js'
export { scheduleOnly } from './schedule-only.js'
