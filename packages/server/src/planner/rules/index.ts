export { rulesPlanner } from './rules-planner.js'
