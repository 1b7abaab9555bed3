export { pngChart } from './png-chart.js'
