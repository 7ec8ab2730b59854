import collections

import evictionlab


class LRU(evictionlab.Policy):
    def __init__(self, capacity):
        self.order = collections.OrderedDict()

    def hit(self, request):
        self.order.move_to_end(request.slot)

    def insert(self, request):
        self.order[request.slot] = None

    def victim(self):
        return next(iter(self.order))

    def remove(self, slot):
        del self.order[slot]
