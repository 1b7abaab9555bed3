export { endpointHealth, explainEndpoint, nextPlans } from './endpoint-insight.js'
export { type ForecastRequest, forecastLoad, type LoadForecast } from './forecast-load.js'
