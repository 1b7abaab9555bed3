export { type CronField, cronFields, monthNames, weekdayNames } from './cron-field.js'
export { type Element, type FieldText, fieldTexts, valuesOf } from './field-elements.js'
export { fieldWords } from './field-words.js'
export { scheduleWords } from './schedule-words.js'
