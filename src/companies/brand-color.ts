// Computes, from a company's colour, a readable text colour and the shades that pages use.

/** The colour of companies that chose none; the same as in base.css. */
export const DEFAULT_COLOR = '#0f6b50'

type ColorScheme = 'light' | 'dark'

/** A company's colour in one colour scheme. Text is readable on all backgrounds of base.css. */
type Shades = {
  /** The background of the page. */
  surface: string
  /** The main button and its text. */
  fill: string
  text: '#fff' | '#000'
  /** Links and marks on the surface, and on a tinted background. */
  accent: string
}

type Rgb = [red: number, green: number, blue: number]
/** OKLab: lightness, and two colour axes. */
type Lab = [lightness: number, a: number, b: number]

/** @param color `#rrggbb`. Returns black or white, whichever has more contrast with it (WCAG 2). */
export function getTextColor(color: string): '#fff' | '#000' {
  return computeContrast('#ffffff', color) >= computeContrast('#000000', color) ? '#fff' : '#000'
}

/** The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2). */
export function computeContrast(one: string, other: string) {
  const [a, b] = [computeLuminance(one), computeLuminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** @param color `#rrggbb` */
export function buildShades(color: string): Record<ColorScheme, Shades> {
  const lab = linearRgbToOklab(hexToLinearRgb(color))
  const text = getTextColor(color)
  return {
    light: { surface: '#ffffff', fill: color, text, accent: oklabToHex(capLightness(lab, 0.47)) },
    dark: {
      surface: '#171b1f',
      fill: oklabToHex(raiseLightness(lab, 0.36)),
      text,
      accent: oklabToHex(capChroma(raiseLightness(lab, 0.78), 0.13)),
    },
  }
}

/**
 * Builds the CSS that a company's colour adds to base.css. Browsers without light-dark() use the light scheme.
 * @param color `#rrggbb`
 */
export function buildBrandStyle(color: string) {
  const { light, dark } = buildShades(color)
  const hover = light.text === '#fff' ? '#000' : '#fff'
  const plain = `--brand:${color};--on-brand:${light.text};--off-brand:${hover};--accent:${light.accent}`
  const pair = (name: 'accent' | 'fill') => `--${name}:light-dark(${light[name]},${dark[name]})`
  const both = `@supports (color:light-dark(red,red)){:root{${pair('accent')};${pair('fill')}}}`
  return `:root{${plain}}${both}`
}

function computeLuminance(color: string) {
  const [red, green, blue] = hexToLinearRgb(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function capLightness([lightness, a, b]: Lab, most: number): Lab {
  return [Math.min(lightness, most), a, b]
}

function raiseLightness([lightness, a, b]: Lab, least: number): Lab {
  return [Math.max(lightness, least), a, b]
}

/** Limits the chroma to `most`, with the same hue. */
function capChroma([lightness, a, b]: Lab, most: number): Lab {
  const part = Math.min(1, most / (Math.hypot(a, b) || 1))
  return [lightness, a * part, b * part]
}

/** Converts sRGB to linear light. */
function hexToLinearRgb(color: string): Rgb {
  const linearize = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [linearize(1), linearize(3), linearize(5)]
}

/** Converts to sRGB; values that a screen cannot show are cut off, as browsers do. */
function oklabToHex(lab: Lab) {
  const channels = oklabToLinearRgb(lab).map((light) => {
    const value = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, value)) * 255)
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

// Björn Ottosson's matrices, as in CSS Color 4.
function linearRgbToOklab([red, green, blue]: Rgb): Lab {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function oklabToLinearRgb([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
