/**
 * What Chromium does not do in tests. It has hidden pages of its own beside each window of ours (suggestions of an address bar that
 * nobody sees), which take a good part of the processor.
 */
const hiddenPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Playwright's own list (chromiumSwitches.ts): the flag counts once, and ours comes last. */
const playwrights = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

export const withoutHiddenPages = `--disable-features=${hiddenPages}`
export const underPlaywright = `--disable-features=${[...playwrights, ...hiddenPages]}`
