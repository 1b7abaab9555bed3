export { Resolution } from './resolution.js'
