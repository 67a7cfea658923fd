// The arrows of the web application.

import { never, tests } from './arrow-words.mjs'

export const webArrows = [
  never(
    'web-never-server',
    'Browser and server meet at the contract, and the draw must not ship to the browser.',
    { path: '^web/' },
    { path: '^(server|sandbox)/' },
  ),
  never(
    'web-has-no-node',
    'A browser has no built-in modules of Node.',
    { path: '^web/src/', pathNot: tests },
    { dependencyTypes: ['core'] },
  ),
  never(
    'screens-stand-apart',
    'Code that two screens share belongs to a feature.',
    { path: '^web/src/screens/[^/]+$', pathNot: tests },
    { path: '^web/src/screens/[^/]+$' },
  ),
  never(
    'areas-of-screens-stand-apart',
    'The screens of an area, like the tabs of the admin panel, belong to one page only.',
    { path: '^web/src/screens/([^/]+)/', pathNot: tests },
    { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
  ),
  never(
    'web-application-is-an-end',
    'The frame composes screens; nothing below imports the frame.',
    { path: '^web/src/', pathNot: [tests, '^web/src/app/'] },
    { path: '^web/src/app/' },
  ),
  never(
    'web-features-below-screens',
    'A feature can be on any screen.',
    { path: '^web/src/features/', pathNot: tests },
    { path: '^web/src/screens/' },
  ),
  never(
    'web-features-meet-at-doors',
    'A feature is used through its queries and its shared components.',
    { path: '^web/src/features/([^/]+)/', pathNot: tests },
    {
      path: '^web/src/features/',
      pathNot: [
        '^web/src/features/$1/',
        '^web/src/features/[^/]+/queries\\.ts$',
        '^web/src/features/[^/]+/[^/]+-queries\\.ts$',
        '^web/src/features/[^/]+/shared/',
      ],
    },
  ),
  never(
    'web-compat-stands-below-features',
    'Features are told what the older addresses need; that code imports no feature.',
    { path: '^web/src/compat/', pathNot: tests },
    { path: '^web/src/(features|screens|app)/' },
  ),
  never(
    'ui-knows-no-product-word',
    'Parts of the kit are told what to show and where to ask; they make no calls themselves.',
    { path: '^web/src/ui/', pathNot: tests },
    {
      path: [
        '^contract/(?!src/csv\\.ts$)',
        '^web/src/(features|screens|compat)/',
        '^web/src/lib/(api|endpoint-query|query-client)\\.ts$',
      ],
    },
  ),
  never(
    'web-lib-is-the-floor',
    'Calls and formats know nothing of how they are shown.',
    { path: '^web/src/lib/', pathNot: tests },
    { path: '^web/src/(ui|features|screens|compat)/' },
  ),
  never(
    'radix-only-behind-the-kit',
    'One place decides how the library components look, move and are labelled.',
    { path: '^web/', pathNot: '^web/src/ui/' },
    { path: '(^|/)node_modules/(radix-ui|@radix-ui)/' },
  ),
]
