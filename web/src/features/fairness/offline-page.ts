// The offline verifier: the site's own check of a proof file, as a page that needs no network and
// no site. It is bundled into one HTML file (tools/verify-proof-page.mjs).

import { isSigned } from '@redpack/fair/ed25519'
import { portableHashing } from '@redpack/fair/hashing'
import { parseVerifierKey } from '@redpack/fair/notes'
import { openLogProof } from '@redpack/fair/proof'
import { treeHashes } from '@redpack/fair/tree'
import {
  proofFileBytesMax,
  readProof,
  summaryText,
  type Verdict,
  type VerificationStep,
  verifyProof,
} from '@redpack/fair/verify'

const marks: Readonly<Record<Verdict, string>> = {
  passed: '\u2714 Passed',
  waiting: '\u25f7 Waiting',
  failed: '\u2718 Failed',
  unchecked: '\u25cb Not checked',
}

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

function stepElement({ title, verdict, text, values }: VerificationStep): HTMLElement {
  const step = document.createElement('li')
  const heading = element('h3', title)
  const details = document.createElement('dl')
  for (const { name, value } of values) {
    details.append(element('dt', name), element('dd', value))
  }
  step.append(element('p', marks[verdict], verdict), heading, element('p', text), details)
  return step
}

async function report(file: File, keyText: string): Promise<HTMLElement[]> {
  if (file.size > proofFileBytesMax) throw new Error('This file is too large for a proof.')
  const proof = readProof(await file.text())
  const key = parseVerifierKey(keyText, portableHashing.sha256)
  if (keyText !== '' && key === undefined) throw new Error('This is not the key of a log.')
  const hashes = treeHashes(portableHashing)
  const check = key ? (log: string) => openLogProof(log, key, hashes, isSigned) : null
  const verification = await verifyProof(proof, check)
  const steps = document.createElement('ol')
  steps.append(...verification.steps.map(stepElement))
  const verdict = element('p', summaryText(verification), `verdict ${verification.verdict}`)
  return [element('h2', file.name), verdict, steps]
}

function start(): void {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  const key = document.querySelector<HTMLInputElement>('input[type="text"]')
  const place = document.querySelector<HTMLElement>('[role="status"]')
  if (!input || !key || !place) return
  const check = async () => {
    const file = input.files?.[0]
    if (!file) return place.replaceChildren()
    try {
      place.replaceChildren(...(await report(file, key.value.trim())))
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The file could not be read.'
      place.replaceChildren(element('p', text, 'verdict failed'))
    }
  }
  input.addEventListener('change', check)
  key.addEventListener('change', check)
}

start()
