// Many calls at a time, as many as a test wants under way.

/**
 * Does `work` for 0 to `count` - 1 with `width` in flight at a time; answers the results as they
 * came.
 */
export async function inLanes<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const index = next
      next += 1
      results.push(await work(index))
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
