import { MediaQuery } from 'svelte/reactivity'
import { SCREENS } from './screens'

/** The present screen, by the names of `screens.ts`. */
export const screen = {
  small: new MediaQuery(SCREENS.small),
  low: new MediaQuery(SCREENS.low),
  short: new MediaQuery(SCREENS.short),
  upright: new MediaQuery(SCREENS.upright),
  tight: new MediaQuery(SCREENS.tight),
  wide: new MediaQuery(SCREENS.wide),
  huge: new MediaQuery(SCREENS.huge),
}
