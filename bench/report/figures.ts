/** 66 ns, 4.8 us, 1.2 ms */
export function duration(ns: number): string {
  if (!Number.isFinite(ns)) return '-'
  if (ns < 1e3) return `${significant(ns)} ns`
  if (ns < 1e6) return `${significant(ns / 1e3)} us`
  return `${significant(ns / 1e6)} ms`
}

/** How many a second, when one takes this long. */
export const rate = (ns: number): string => (Number.isFinite(ns) ? `${grouped(1e9 / ns)}/s` : '-')

export const ratio = (value: number): string =>
  Number.isFinite(value) ? `${significant(value)}x` : '-'

export const percent = (share: number): string => `${significant(share * 100)} %`

export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US')

function significant(value: number): string {
  if (value >= 100) return grouped(value)
  return value.toFixed(value >= 10 ? 1 : 2)
}
