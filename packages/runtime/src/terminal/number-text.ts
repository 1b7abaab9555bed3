/** `1,440`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** `1 job`, `2 jobs`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** A share as people read it: `333%`, `100%`, `34.5%`, `0.023%`, `4.1e-7%`. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0) return '0%'
  if (share > 1) return value < 101 ? '>100%' : `${Math.floor(value)}%`
  if (value >= 99.95) return share === 1 ? '100%' : '>99.9%'
  if (value >= 1) return `${Number(value.toFixed(1))}%`
  return `${Number(value.toPrecision(2))}%`
}
