/** The text of the offline verifier: one HTML file that loads nothing. */
export function verifyProofPage(): Promise<string>
