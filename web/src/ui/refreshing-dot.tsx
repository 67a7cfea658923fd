// What is shown is a moment old, and newer is on its way.

/** Takes its room whether or not it shows, so that nothing moves. */
export function RefreshingDot({ isShown }: { readonly isShown: boolean }) {
  return (
    <span className="inline-grid size-4 place-items-center">
      {isShown && (
        <>
          <span
            aria-hidden="true"
            title="Refreshing"
            className="size-2 animate-pulse rounded-full bg-secondary-graphic"
          />
          <span className="sr-only">Refreshing</span>
        </>
      )}
    </span>
  )
}
