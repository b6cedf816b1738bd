// Hash maps, the workspaces whose memory grows with what is in them.
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

// @begin map_cell
typedef struct {
  int64_t key, slot;
} map_cell;
// @end

#define TYPE map_cell
#define KEY(element) element.key
#include "sort.c"

// @begin map
// A hash table: keys and values by slot, found through linear probing. `cells` are the table's cells in use.
typedef struct {
  int64_t* keys;
  VALUE* vals;
  int64_t* cells;
  map_cell* table;
  map_cell* sorted;
  VALUE* spare;
  int64_t size, capacity;
  int shift;
} MAP;

static inline uint64_t MAP_find(const MAP* map, int64_t key) {
  uint64_t mask = 2 * (uint64_t)map->capacity - 1;
  uint64_t cell = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> map->shift;
  while (map->table[cell].slot >= 0 && map->table[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}

static bool MAP_grow(MAP* map) {
  int64_t capacity = map->capacity ? 2 * map->capacity : 16;
  void* memory;
  if (!(memory = grow(map->keys, capacity, sizeof(int64_t)))) return false;
  map->keys = memory;
  if (!(memory = grow(map->vals, capacity, sizeof(VALUE)))) return false;
  map->vals = memory;
  if (!(memory = grow(map->cells, capacity, sizeof(int64_t)))) return false;
  map->cells = memory;
  if (!(memory = grow(map->sorted, capacity, sizeof(map_cell)))) return false;
  map->sorted = memory;
  if (!(memory = grow(map->spare, capacity, sizeof(VALUE)))) return false;
  map->spare = memory;
  if (!(memory = allocate(2 * capacity, sizeof(map_cell)))) return false;
  free(map->table);
  map->table = memory;
  map->shift = map->capacity ? map->shift - 1 : 59;
  map->capacity = capacity;
  for (int64_t cell = 0; cell < 2 * capacity; cell++) map->table[cell].slot = -1;
  for (int64_t slot = 0; slot < map->size; slot++) {
    uint64_t cell = MAP_find(map, map->keys[slot]);
    map->table[cell] = (map_cell){map->keys[slot], slot};
    map->cells[slot] = (int64_t)cell;
  }
  return true;
}

// The slot of `key`, which is added with the value zero where it is new; -1 when there is no memory.
static inline int64_t MAP_slot(MAP* map, int64_t key) {
  uint64_t cell = 0;
  if (map->capacity) {
    cell = MAP_find(map, key);
    if (map->table[cell].slot >= 0) return map->table[cell].slot;
  }
  if (map->size == map->capacity) {
    if (!MAP_grow(map)) return -1;
    cell = MAP_find(map, key);
  }
  int64_t slot = map->size++;
  map->table[cell] = (map_cell){key, slot};
  map->cells[slot] = (int64_t)cell;
  map->keys[slot] = key;
  map->vals[slot] = 0;
  return slot;
}

static void MAP_sort(MAP* map) {
  for (int64_t slot = 0; slot < map->size; slot++) map->sorted[slot] = (map_cell){map->keys[slot], slot};
  SORT(map->sorted, map->size);
  for (int64_t slot = 0; slot < map->size; slot++) {
    map->keys[slot] = map->sorted[slot].key;
    map->spare[slot] = map->vals[map->sorted[slot].slot];
    map->table[MAP_find(map, map->keys[slot])].slot = slot;
  }
  VALUE* sorted = map->spare;
  map->spare = map->vals;
  map->vals = sorted;
}

static inline void MAP_clear(MAP* map) {
  for (int64_t entry = 0; entry < map->size; entry++) map->table[map->cells[entry]].slot = -1;
  map->size = 0;
}

static void MAP_free(MAP* map) {
  free(map->keys);
  free(map->vals);
  free(map->cells);
  free(map->table);
  free(map->sorted);
  free(map->spare);
}
// @end
