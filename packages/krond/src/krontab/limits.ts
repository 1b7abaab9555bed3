/** What krontab files may not exceed; beyond each of them is a problem of the file. */
export const krontabLimits = Object.freeze({
  fileBytes: 1_048_576,
  lineCharacters: 65_536,
  /** Of all files together. */
  jobs: 100_000,
  /** Reported for one file; the rest is only counted. */
  problems: 1_000,
  timeoutMs: 366 * 86_400_000,
})
