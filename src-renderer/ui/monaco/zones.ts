/** Room between two lines of an editor for something one can click: Monaco makes the room, a layer over it holds the thing. */
import type { editor } from 'monaco-editor/editor'

export interface ZonePlace {
  readonly key: string
  /** After this line, from 1; 0: before the first. */
  readonly afterLine: number
}

/** What is drawn into `box`, which grows and shrinks with it. */
export interface Zone extends ZonePlace {
  readonly box: HTMLElement
}

interface Held {
  place: ZonePlace
  readonly box: HTMLElement
  readonly widget: editor.IOverlayWidget
  readonly sizes: ResizeObserver
  zoneId: string
  height: number
}

const FIRST_PX = 30
/** After what Monaco itself puts at the same line: the lines that were removed there. */
const BEHIND = 20_000

export interface Zones {
  /** What is known by its key stays, with all that is in it: a field keeps its focus. */
  show(places: readonly ZonePlace[]): readonly Zone[]
  dispose(): void
}

export function createZones(shown: editor.ICodeEditor, name: string): Zones {
  const held = new Map<string, Held>()

  const lay = (accessor: editor.IViewZoneChangeAccessor, each: Held) => {
    const spacer = document.createElement('div')
    each.zoneId = accessor.addZone({
      afterLineNumber: each.place.afterLine,
      heightInPx: each.height,
      ordinal: BEHIND,
      domNode: spacer,
      showInHiddenAreas: true,
      suppressMouseDown: true,
      onDomNodeTop: top => {
        each.box.style.top = `${top}px`
      },
    })
  }
  const relay = (each: Held) =>
    shown.changeViewZones(accessor => {
      accessor.removeZone(each.zoneId)
      lay(accessor, each)
    })
  const make = (place: ZonePlace): Held => {
    const box = document.createElement('div')
    box.className = 'ui-editor-zone'
    const widget: editor.IOverlayWidget = {
      getId: () => `${name}.${place.key}`,
      getDomNode: () => box,
      getPosition: () => null,
    }
    const sizes = new ResizeObserver(() => {
      const height = box.offsetHeight
      if (height === 0 || height === each.height) return
      each.height = height
      relay(each)
    })
    const each: Held = { place, box, widget, sizes, zoneId: '', height: FIRST_PX }
    shown.addOverlayWidget(widget)
    sizes.observe(box)
    return each
  }
  const drop = (accessor: editor.IViewZoneChangeAccessor, key: string, each: Held) => {
    held.delete(key)
    each.sizes.disconnect()
    accessor.removeZone(each.zoneId)
    shown.removeOverlayWidget(each.widget)
  }
  const align = () => {
    const { contentLeft, contentWidth } = shown.getLayoutInfo()
    for (const { box } of held.values()) {
      box.style.left = `${contentLeft}px`
      box.style.width = `${contentWidth}px`
    }
  }
  const laidOut = shown.onDidLayoutChange(align)

  return {
    show(places) {
      shown.changeViewZones(accessor => {
        for (const [key, each] of [...held]) if (!places.some(place => place.key === key)) drop(accessor, key, each)
        for (const place of places) {
          const known = held.get(place.key)
          if (known?.place.afterLine === place.afterLine) continue
          const each = known ?? make(place)
          each.place = place
          if (known) accessor.removeZone(known.zoneId)
          held.set(place.key, each)
          lay(accessor, each)
        }
      })
      align()
      return places.flatMap(place => {
        const each = held.get(place.key)
        return each ? [{ ...place, box: each.box }] : []
      })
    },
    dispose() {
      laidOut.dispose()
      shown.changeViewZones(accessor => {
        for (const [key, each] of [...held]) drop(accessor, key, each)
      })
    },
  }
}
