/** The one place of the version: package.json, inlined by the build. */
export { version } from '../../package.json'
