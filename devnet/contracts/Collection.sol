// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// An ERC-721 collection that is its own market: anyone can buy a piece from its owner.
contract Collection {
    string public constant name = "Quarry Stones";
    string public constant symbol = "STONE";
    uint256 public totalSupply;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function mint() external payable {
        totalSupply += 1;
        ownerOf[totalSupply] = msg.sender;
        balanceOf[msg.sender] += 1;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function buy(uint256 id) external payable {
        address owner = ownerOf[id];
        require(owner != address(0) && owner != msg.sender, "not for sale to you");
        _move(owner, msg.sender, id);
        (bool paid, ) = owner.call{value: msg.value}("");
        require(paid, "payment failed");
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "wrong owner");
        require(
            msg.sender == from || getApproved[id] == msg.sender || isApprovedForAll[from][msg.sender],
            "not allowed"
        );
        _move(from, to, id);
    }

    function _move(address from, address to, uint256 id) private {
        delete getApproved[id];
        ownerOf[id] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        emit Transfer(from, to, id);
    }
}
