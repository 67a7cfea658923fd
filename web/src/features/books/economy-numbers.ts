// Shares, averages and days as the economy's pages write them.

const decimalFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })

/** A share in percent: 0.1234 reads '12.34%'; what is there but too small reads '<0.01%'. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.000_05) return '<0.01%'
  return `${(share * 100).toFixed(2)}%`
}

/** At most two decimals. */
export function decimalText(value: number): string {
  return decimalFormat.format(value)
}

/** '12 days', '5 hours', 'less than an hour'. */
export function daysText(days: number): string {
  if (days >= 1) {
    const whole = Math.round(days)
    return `${decimalFormat.format(whole)} ${whole === 1 ? 'day' : 'days'}`
  }
  const hours = Math.floor(days * 24)
  if (hours < 1) return 'less than an hour'
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}
