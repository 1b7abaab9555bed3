export { supersededAt } from './superseded.js'
