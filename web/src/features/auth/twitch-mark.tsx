// A speech bubble with two strokes, beside the word Twitch.

export function TwitchMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2">
      <path d="M4 3h16v11l-5 5h-4l-3 3v-3H4z" strokeLinejoin="round" />
      <path d="M10.5 8v4.5M15.5 8v4.5" strokeLinecap="round" />
    </svg>
  )
}
