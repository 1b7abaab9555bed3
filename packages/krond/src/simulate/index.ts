export { countStarts, mostStarts, type StartCounts } from './count-starts.js'
export { simulateCommand } from './simulate-command.js'
export { type Simulation, simulationJson, simulationOf } from './simulation.js'
export { svgChart } from './svg-chart.js'
