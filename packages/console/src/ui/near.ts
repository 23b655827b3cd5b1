import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether an element has been in the visible part of the page. What is further down can be read when a person gets there. */
export function useNear<T extends Element>(): readonly [RefObject<T | null>, boolean] {
  const place = useRef<T>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (place.current === null || isNear) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return [place, isNear]
}
