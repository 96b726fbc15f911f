// What is wrong with the HTML of a page.
import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const loader = new StaticConfigLoader({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // Without JavaScript a page that waits can only look again by itself.
    'meta-refresh': 'off',
    // The menu stands there twice, for wide and for narrow screens; one of them is not displayed.
    'unique-landmark': 'off',
    // Pairs of name and value, as many as there are.
    'form-dup-name': 'off',
    // After what there is to say of an event or of a field of an account.
    'valid-id': ['error', { relaxed: true }],
    // The area code, without the country's.
    'valid-autocomplete': 'off',
    'no-trailing-whitespace': 'off',
    // What a combobox offers: HTML has no element for options that are more than words.
    'prefer-native-element': ['error', { exclude: ['listbox'] }],
    // A name of a company and a title of a link may be longer.
    'long-title': 'off',
  },
})
// To resolve the rules takes as long as to read a page.
const config = loader.getConfigFor('page.html')
loader.getConfigFor = () => config
const validator = new HtmlValidate(loader)

/** What is included ends with a line break, which shows as a blank before a full stop. */
const BLANK_BEFORE_SIGN = /[^<>\n]*<\/\w+>\s+[.,;:](?=[\s<])/g

/** The shapes of a drawing, which are most of a page's elements, and faultless where one page is. */
const SHAPES = /(<svg[^>]*>)[\s\S]*?(?=<\/svg>)/g

/** One line for each; `where` says which page it is. */
export function findHtmlFaults(where: string, html: string) {
  const { results } = validator.validateStringSync(html.replace(SHAPES, '$1'))
  const invalid = results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line }) => `${where}:${line} ${ruleId}: ${message}`)
  const signs = [...html.matchAll(BLANK_BEFORE_SIGN)].map(([text]) => `${where} blank: ${text}`)
  return [...invalid, ...signs]
}
