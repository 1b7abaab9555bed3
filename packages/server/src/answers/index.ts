export type { DecisionAccount, Draw } from './decision-account.js'
export {
  type Candidate,
  type CandidateKind,
  type Clamp,
  type Explanation,
  explainPlan,
} from './explanation.js'
export { scheduleOnly } from './followed-endpoint.js'
export {
  type ForecastMinute,
  type ForecastSpan,
  forecast,
  forecastInSteps,
  maxForecastRuns,
} from './forecast.js'
