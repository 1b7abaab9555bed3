export {
  type CronField,
  cronFields,
  type Element,
  type FieldText,
  fieldTexts,
  monthNames,
  valuesOf,
  weekdayNames,
} from './cron-field.js'
export { fieldWords, scheduleWords } from './schedule-words.js'
