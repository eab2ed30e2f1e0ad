/** Places decided by their name: the jail holds the same ones, so the list is everybody's (`base`). */
export { protectedPart, secretPart } from '../base/protected-places.ts'
