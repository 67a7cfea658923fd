// Finds labels and what they label by id, as browsers do.
//
// jsdom walks through the whole page for the control of a label, and again for each of them to find
// the labels of a field. A search by label asks for those of every field.

const fields = [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
]
const labelable = 'button, input:not([type=hidden]), meter, output, progress, select, textarea'

function controlOf(label: HTMLLabelElement): Element | null {
  if (!label.hasAttribute('for')) return label.querySelector(labelable)
  const root = label.getRootNode() as ParentNode & Partial<NonElementParentNode>
  const found = root.getElementById?.(label.htmlFor) ?? null
  return found?.matches(labelable) ? found : null
}

/** Makes `control` of labels and `labels` of fields quick; the answers are the same. */
export function findLabelsById(): void {
  const control = {
    configurable: true,
    get(this: HTMLLabelElement) {
      return controlOf(this)
    },
  }
  Object.defineProperty(HTMLLabelElement.prototype, 'control', control)
  const labels = {
    configurable: true,
    get(this: Element) {
      if (!this.matches(labelable)) return null
      const all = (this.getRootNode() as ParentNode).querySelectorAll('label')
      return [...all].filter((label) => controlOf(label) === this)
    },
  }
  for (const { prototype } of fields) Object.defineProperty(prototype, 'labels', labels)
}
