// A time limit on work that may never end.

/**
 * The outcome of `work`, unless it takes longer than `millisMax`. The work itself goes on, and what
 * becomes of it later is not told. A process that was held up runs its timers before it reads what
 * has arrived meanwhile, so it reads once more before the time counts as over.
 * @throws Error `took longer than … ms`, or what the work throws
 */
export async function withinMillis<Result>(
  work: Promise<Result>,
  millisMax: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error(`took longer than ${millisMax} ms`))
    timer = setTimeout(() => setImmediate(giveUp), millisMax)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
