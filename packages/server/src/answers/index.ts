export { type Advice, adviceOn } from './advice.js'
export type { DecisionAccount } from './decision-account.js'
export {
  type Candidate,
  type CandidateKind,
  type Explanation,
  explainPlan,
} from './explanation.js'
export { scheduleOnly } from './followed-endpoint.js'
export {
  type ForecastMinute,
  forecast,
  forecastInSteps,
} from './forecast.js'
