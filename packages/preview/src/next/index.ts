export { type NextOptions, nextAnswer, nextStretch } from './next-answer.js'
