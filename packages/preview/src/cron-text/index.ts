export {
  type CronField,
  cronFields,
  type Element,
  type FieldText,
  fieldTexts,
  monthNames,
  valuesOf,
} from './cron-field.js'
export { fieldWords, scheduleWords } from './schedule-words.js'
