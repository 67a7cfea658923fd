// The page that sets our pictures beside what the best of their kind do.

import type { Scene } from './scenes.ts'

const thumbnailWidths: Readonly<Record<number, number>> = { 390: 120, 1280: 320, 1920: 320 }

export interface Picture {
  readonly file: string
  readonly width: number
}

function shown(scene: Scene, { file, width }: Picture): string {
  const alt = `${scene.title}, ${width} px wide`
  return `<a href="${file}"><img src="${file}" alt="${alt}" width="${thumbnailWidths[width]}"></a>`
}

function row(scene: Scene, pictures: readonly Picture[]): string {
  const cells = pictures.map((picture) => shown(scene, picture))
  return `| **${scene.title}** | ${cells.join(' | ')} | ${scene.best} | ${scene.look} |`
}

/** One row for each screen, and one for each of the chosen screens in the other themes. */
export function pageOfPictures(
  rows: readonly { readonly scene: Scene; readonly pictures: readonly Picture[] }[],
  themes: readonly {
    readonly name: string
    readonly rows: readonly { readonly scene: Scene; readonly pictures: readonly Picture[] }[]
  }[],
): string {
  const names = themes.map(({ name }) => name)
  const inThemes = (themes[0]?.rows ?? []).map(({ scene }, index) => {
    const cells = themes.map(({ rows: themed }) =>
      (themed[index]?.pictures ?? []).map((picture) => shown(scene, picture)).join(' '),
    )
    return `| **${scene.title}** | ${cells.join(' | ')} |`
  })
  return `# Pictures

Made by \`npm run pictures\`, always from the same content at the same moment. Each row also
says what the best of its kind do, in our own words, and what to look at in ours. Click a picture to
see it in full size.

| Screen | 390 px | 1280 px | 1920 px | The best of its kind | What to look at |
|---|---|---|---|---|---|
${rows.map(({ scene, pictures }) => row(scene, pictures)).join('\n')}

## The other themes

Staff choose any eight colours; these are the presets beside the default. Texts, lines and labels
keep their contrast in each.

| Screen | ${names.join(' | ')} |
|---|${names.map(() => '---|').join('')}
${inThemes.join('\n')}
`
}
